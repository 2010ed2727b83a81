/** States of an account, as lists and facts name them. */
export const stateNames = { active: 'Active', invited: 'Invited', disabled: 'Disabled' } as const;

type AccountState = keyof typeof stateNames;

/** The state of an account: without a password its invitation is still open. */
export function accountState(user: { disabledAt: Date | null; passwordHash: string | null }): AccountState {
  if (user.disabledAt) return 'disabled';
  return user.passwordHash ? 'active' : 'invited';
}
