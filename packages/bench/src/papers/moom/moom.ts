import { inOrder } from '../registry/in-order.ts'
import type { Paper } from '../registry/paper.ts'
import { shows } from '../registry/shows.ts'
import { ABLATION_ITEMS } from './ablations.ts'
import { EXTRACTION_ITEMS } from './extraction.ts'
import { FORGETTING_ITEMS } from './forgetting.ts'
import { PROBE_ITEMS } from './probes.ts'

/** MOOM: plot and persona of role-playing talk, and what is forgotten of them. */
export const MOOM: Paper = {
  name: 'moom',
  title: 'MOOM: Maintenance, Organization and Optimization of Memory in Ultra-Long Role-Playing Dialogues',
  authors: 'Chen et al., 2025',
  about:
    'A branch summarises the plot, another keeps the persona, and memories compete for what capacity there is.',
  items: inOrder([
    ...EXTRACTION_ITEMS,
    ...PROBE_ITEMS,
    ...ABLATION_ITEMS,
    ...FORGETTING_ITEMS,
    shows('figure 1', 'The two branches and the forgetting', 'A drawing; the preset `moom` has them.'),
    shows('figure 2', 'How the plot is summarised level by level', 'A drawing.'),
    shows(
      'figure 4',
      'The keys of the persona, by how they are merged',
      'A list of keys; ours are in `moomKeyTable()`, each with its class.',
    ),
    shows('figure 5', 'How a snapshot is merged into the persona', 'An example.'),
    shows('figure 8', 'What four systems keep of one label: sushi', 'An example.'),
    shows('figure 9', 'What four systems keep of one label: a legacy', 'An example.'),
  ]),
}
