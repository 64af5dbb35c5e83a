// What the site's menu shows, in order. A page of docs/ that stands nowhere here fails the build: nobody would find it.

/** @typedef {{ text: string, pages: string[] }} Group pages by their path in docs/, without `.md` */

/** @type {Group[]} */
export const GUIDES = [
  { text: 'Begin', pages: ['install', 'import', 'presets', 'rules', 'compare'] },
  { text: 'Doors', pages: ['server', 'webhooks', 'llm-doors', 'inspector', 'mcp', 'mem0'] },
  { text: 'Run it', pages: ['stores', 'postgres', 'operations', 'opentelemetry', 'security'] },
  { text: 'Research', pages: ['papers', 'harness', 'training'] },
  { text: 'Inside', pages: ['ARCHITECTURE', 'GLOSSARY', 'WHERE'] },
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
  'ai-sdk',
  'langchain',
  'training',
  'bench',
]
