import { ModelError } from '../../errors/model-error.ts'

const PACKAGE = '@huggingface/transformers'

/** Where transformers.js looks for models. */
export interface TransformersEnvironment {
  localModelPath: string
  allowLocalModels: boolean
  allowRemoteModels: boolean
}

/**
 * Imports transformers.js, an optional peer.
 * @param has tells whether the module holds what is used of it, which `used` names.
 * @throws ModelError naming the command that installs it, or the version that fits.
 */
export async function importTransformers<Module>(
  has: (found: object) => found is Module & object,
  used: string,
  load: () => Promise<unknown> = () => import(PACKAGE),
): Promise<Module> {
  let found: unknown
  try {
    found = await load()
  } catch (cause) {
    throw new ModelError(`The package "${PACKAGE}" cannot be loaded. Run \`npm install ${PACKAGE}\`.`, {
      cause,
    })
  }
  if (typeof found !== 'object' || found === null || !has(found))
    throw new ModelError(`The package "${PACKAGE}" has no ${used}. Install version 3 or 4.`)
  return found
}

/** Loads from a folder, and fetches nothing. */
export function useLocalModels(env: TransformersEnvironment, folder: string): void {
  env.allowLocalModels = true
  env.allowRemoteModels = false
  env.localModelPath = folder
}
