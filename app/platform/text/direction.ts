const letter = /\p{L}/u;
const rightToLeft =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\p{Script=Mandaic}\p{Script=Samaritan}\p{Script=Hanifi_Rohingya}\p{Script=Mende_Kikakui}]/u;

/** The direction of a text by its first letter, as `dir="auto"` finds it; null for a text without letters. */
export function directionOfText(text: string): 'ltr' | 'rtl' | null {
  const [first] = letter.exec(text) ?? [];
  if (first === undefined) return null;
  return rightToLeft.test(first) ? 'rtl' : 'ltr';
}
