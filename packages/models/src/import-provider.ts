import { InvalidInputError } from 'keepsake'

/**
 * Imports a provider's package, an optional peer.
 *
 * @param load the import itself, so that its types are known.
 * @throws InvalidInputError naming the command that installs it, when it is not there.
 */
export async function importProvider<Module>(
  name: string,
  spec: string,
  load: () => Promise<Module>,
): Promise<Module> {
  try {
    return await load()
  } catch (cause) {
    if (!isMissing(cause, name)) throw cause
    throw new InvalidInputError(
      `"${spec}" needs the package ${name}. Run \`npm install ${name}\`.`,
      { package: name },
      cause,
    )
  }
}

/** The package itself is not there; one that is there and broken is another matter. */
function isMissing(cause: unknown, name: string): boolean {
  return (
    cause instanceof Error &&
    'code' in cause &&
    cause.code === 'ERR_MODULE_NOT_FOUND' &&
    cause.message.includes(`'${name}'`)
  )
}
