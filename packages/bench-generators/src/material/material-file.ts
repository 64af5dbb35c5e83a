import { fileURLToPath } from 'node:url'

/** Where the word material of that name lies: as far from the sources as from what is built of them. */
export function materialFile(name: string): string {
  return fileURLToPath(new URL(`../../data/material/${name}`, import.meta.url))
}
