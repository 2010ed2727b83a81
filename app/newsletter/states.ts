/** `suspended`: the address bounced or an editor stopped it. */
export const subscriberStates = ['pending', 'active', 'suspended', 'unsubscribed'] as const;
export type SubscriberState = (typeof subscriberStates)[number];

export const frequencies = ['each', 'none'] as const;

/** `held`: more than six hours late, or restored from a backup; an editor resumes or cancels it. */
export const issueStates = ['waiting', 'sending', 'paused', 'held', 'sent', 'cancelled'] as const;
export type IssueState = (typeof issueStates)[number];

/** Issues of which something may still be sent. */
export const openIssueStates: IssueState[] = ['waiting', 'sending', 'paused', 'held'];

/** `refused`: the address cannot receive; `failed`: another refusal, or the last try. */
export const recipientStates = ['waiting', 'sending', 'sent', 'refused', 'failed', 'cancelled'] as const;
export type RecipientState = (typeof recipientStates)[number];

/** Recipients whose mail was not accepted yet. */
export const unsentStates: RecipientState[] = ['waiting', 'sending'];
