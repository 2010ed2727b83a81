/** Changes on one page of a release's screen: React renders a page in one turn of the event loop. */
export const ITEMS_A_PAGE = 25;
