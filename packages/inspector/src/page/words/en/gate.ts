/** What the gate says, in English. */
export const gate = {
  title: 'Locked',
  lead: 'This server asks for a key. If you started it with “keepsake inspect”, open the address printed in your terminal again. The page keeps the key until you close or reload it.',
  key: 'Key',
  open: 'Open',
  wrong:
    'This key is not valid: it is unknown, revoked or expired. Check it, or ask the server’s operator for another one.',
  blank: 'Enter a key first.',
  how: 'The server’s operator creates a key with',
}
