import { fileURLToPath } from 'node:url'

/** Where the generators' word material lies: as far from the sources as from what is built of them. */
export const DATA_FOLDER = fileURLToPath(new URL('../../data/material/', import.meta.url))
