/** Words for those around somebody: phrases of each language, and keys too. */
export const KIN = [
  'partner',
  'parents',
  'siblings',
  'children',
  'relatives',
  'friends',
  'colleagues',
  'pets',
]
