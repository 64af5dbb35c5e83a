/** What was typed into a field of a form, without the blanks around it; empty where there is no such field. */
export function readField(form: HTMLFormElement, name: string): string {
  const typed = new FormData(form).get(name)
  return typeof typed === 'string' ? typed.trim() : ''
}
