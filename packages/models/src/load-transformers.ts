import { ModelError } from '@keepsake/text'

const PACKAGE = '@huggingface/transformers'

/** Which model of transformers.js, and from where. */
export interface TransformersOptions {
  /** Name of a model with ONNX weights, e.g. `Xenova/bge-small-en-v1.5`. */
  model: string
  /**
   * Folder that holds `model` as a subfolder. With it nothing is fetched; without it transformers.js downloads
   * the weights on the first call.
   */
  localModelPath?: string
  /** Precision of the weights: `fp32`, `fp16`, `q8`, … Default: what transformers.js takes. */
  dtype?: string
}

/** Imports the package; given in tests. */
export type ImportTransformers = () => Promise<unknown>

/** How one kind of model is loaded. */
interface ModelLoader<Module, Loaded> {
  /** What it is called when it cannot be loaded: `cross-encoder`. */
  readonly kind: string
  /** The module's exports that are used: the package is an optional peer, so its own types may be absent. */
  readonly uses: readonly (keyof Module & string)[]
  readonly load: (module: Module, model: string, weights: { dtype?: string }) => Promise<Loaded>
}

/** Names a model, and everything that changes what it gives. */
export function transformersId({ model, dtype }: TransformersOptions, ...more: readonly string[]): string {
  return ['transformers', model, dtype ?? 'default', ...more].join('/')
}

/**
 * A model that runs in the process by transformers.js, an optional peer. What is returned loads it on the first call and
 * once; a failed load is forgotten, so that the next call tries again.
 *
 * @throws ModelError from the call, naming the command that installs the package, the version that fits, or the model
 * that could not be loaded.
 */
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
  const found = await load().catch((cause: unknown) => {
    throw new ModelError(`The package "${PACKAGE}" cannot be loaded. Run \`npm install ${PACKAGE}\`.`, {
      cause,
    })
  })
  const module = found as Module & { readonly env: Record<string, unknown> }
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
