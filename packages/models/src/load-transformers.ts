// Loads models of transformers.js, an optional package.
import { ModelError } from '@keepsake/text'

const PACKAGE = '@huggingface/transformers'

/** The name and source of a transformers.js model. */
export interface TransformersOptions {
  /** Name of a model with ONNX weights, e.g. `Xenova/bge-small-en-v1.5`. */
  model: string
  /** Folder with `model` as a subfolder. Without it transformers.js downloads the weights on the first call. */
  localModelPath?: string
  /** Precision of the weights: `fp32`, `fp16`, `q8`, … The default is that of transformers.js. */
  dtype?: string
}

/** Imports the package. Tests pass a function of their own. */
export type ImportTransformers = () => Promise<unknown>

/** Loads one kind of model. */
interface ModelLoader<Module, Loaded> {
  /** The name of the kind in errors: `cross-encoder`. */
  readonly kind: string
  /** The exports that the loader uses. They are checked, because the installed version may lack one. */
  readonly uses: readonly (keyof Module & string)[]
  readonly load: (module: Module, model: string, weights: { dtype?: string }) => Promise<Loaded>
}

/** Returns the id of a model with all settings that change its output. */
export function transformersId({ model, dtype }: TransformersOptions, ...more: readonly string[]): string {
  return ['transformers', model, dtype ?? 'default', ...more].join('/')
}

/** Returns a function that loads a model on its first call. A failure is not cached. @throws ModelError with the install command */
export function lazyTransformers<Module, Loaded>(
  options: TransformersOptions,
  loader: ModelLoader<Module, Loaded>,
  load: ImportTransformers = () => import(PACKAGE),
): () => Promise<Loaded> {
  let loading: Promise<Loaded> | undefined
  return () => {
    loading ??= loadModel(options, loader, load).catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
}

async function loadModel<Module, Loaded>(
  { model, localModelPath, dtype }: TransformersOptions,
  { kind, uses, load: loadWith }: ModelLoader<Module, Loaded>,
  load: ImportTransformers,
): Promise<Loaded> {
  const imported = await load().catch((cause: unknown) => {
    throw new ModelError(`The package "${PACKAGE}" cannot be loaded. Run \`npm install ${PACKAGE}\`.`, {
      cause,
    })
  })
  const module = imported as Module & { readonly env: Record<string, unknown> }
  const missing = ['env', ...uses].find((name) => !(name in module))
  if (missing !== undefined)
    throw new ModelError(`The package "${PACKAGE}" has no ${missing}. Install version 3 or 4.`)
  if (localModelPath !== undefined)
    Object.assign(module.env, { allowLocalModels: true, allowRemoteModels: false, localModelPath })
  try {
    return await loadWith(module, model, dtype === undefined ? {} : { dtype })
  } catch (cause) {
    const where = localModelPath === undefined ? 'from the model hub' : `from ${localModelPath}`
    throw new ModelError(
      `The ${kind} "${model}" could not be loaded ${where}. Check its name and that it has ONNX weights.`,
      { cause, details: { model } },
    )
  }
}
