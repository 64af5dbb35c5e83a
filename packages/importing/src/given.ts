/** Drops undefined options: the engine takes an absent option for the default and refuses `undefined`. */
export function given<Options extends object>(options: Options): Given<Options> {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as Given<Options>
}

type Given<Options> = { [Name in keyof Options]?: Exclude<Options[Name], undefined> }
