// Imports packages of providers, which are optional.
import { InvalidInputError } from 'keepsake'

/** Imports a provider's package. @throws InvalidInputError with the install command if the package is missing */
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

/** Checks whether the package itself is missing. A package that is installed but broken does not count. */
function isMissing(cause: unknown, name: string): boolean {
  return (
    cause instanceof Error &&
    'code' in cause &&
    cause.code === 'ERR_MODULE_NOT_FOUND' &&
    cause.message.includes(`'${name}'`)
  )
}
