/** The names of an account's states on screens. */
export const stateNames = { active: 'Active', invited: 'Invited', disabled: 'Disabled' } as const;

type AccountState = keyof typeof stateNames;

/** The state of an account. Without a password its invitation is still open. */
export function accountState(user: { disabledAt: Date | null; passwordHash: string | null }): AccountState {
  if (user.disabledAt) return 'disabled';
  return user.passwordHash ? 'active' : 'invited';
}
