/** Changes on one page of a release's screen. */
export const ITEMS_A_PAGE = 50;
