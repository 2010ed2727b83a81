/**
 * The header in which the editor names the user of its page. Another account may have logged in since, in another tab of
 * the same browser: its session must not save the text of this page.
 */
export const PAGE_USER_HEADER = 'X-Page-User';
