// The site's menu, in order. A page of docs/ that is missing here fails the build.

/** @typedef {{ text: string, pages: string[] }} Group pages by their path in docs/, without `.md` */

/** @type {Group[]} */
export const GUIDES = [
  { text: 'Start', pages: ['quickstart', 'concepts', 'api', 'presets', 'rules', 'import-export', 'compare'] },
  { text: 'Run', pages: ['server', 'integrations', 'deploy', 'operations', 'security'] },
  { text: 'Research', pages: ['harness', 'papers', 'training'] },
  { text: 'Inside', pages: ['architecture', 'stores'] },
]

/** Folders whose pages are listed by themselves. */
export const FOLDERS = { benchmarks: 'Benchmarks', decisions: 'Decisions' }

/** Packages whose public calls are described, by their folder. */
export const PACKAGES = [
  'keepsake',
  'client',
  'server',
  'mem0-compat',
  'models',
  'postgres',
  'libsql',
  'browser',
  'ai-sdk',
  'langchain',
  'agent-sdks',
  'train',
  'bench',
]
