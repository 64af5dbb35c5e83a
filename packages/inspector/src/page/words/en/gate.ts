/** What the gate says, in English. */
export const gate = {
  title: 'A key, please',
  lead: 'This server opens memories to those who have a key. It is kept in this page’s memory alone, and gone when you close or reload it.',
  key: 'Key',
  open: 'Open',
  wrong:
    'This key opens nothing: it is not known, was revoked, or its time is over. Check it, or ask who runs the server for another.',
  blank: 'Type the key first.',
  how: 'Who runs the server makes one with',
}
