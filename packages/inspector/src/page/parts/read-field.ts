/** A form field's trimmed value; empty without such a field. */
export function readField(form: HTMLFormElement, name: string): string {
  const typed = new FormData(form).get(name)
  return typeof typed === 'string' ? typed.trim() : ''
}
