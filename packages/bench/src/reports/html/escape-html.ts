/**
 * Text as HTML that holds no markup: fit for an element's content and for an attribute in double quotes. Control and
 * direction characters, which could reorder what is read, become spaces; line ends stay.
 */
export function escapeHtml(text: string): string {
  return text
    .replaceAll(/(?![\n\t])[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]+/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
