import { plainText } from '../plain-text.ts'

/** Escapes text for an element's content and for an attribute in double quotes. */
export function escapeHtml(text: string): string {
  return plainText(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
