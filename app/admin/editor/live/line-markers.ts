/** The indent and marker of a heading, quotation or list item at the beginning of a line. */
export const markers = /^(\s*)(?:#{1,6} |> |[-*+] \[[ xX]\] |[-*+] |\d{1,9}[.)] )?/;
