/** Options of which none is `undefined`. */
export type Given<Options> = {
  [Name in keyof Options as undefined extends Options[Name] ? never : Name]: Options[Name]
} & {
  [Name in keyof Options as undefined extends Options[Name] ? Name : never]?: Exclude<
    Options[Name],
    undefined
  >
}

/** Without what was left out: the engine takes an absent option for the default, and `undefined` for a mistake. */
export function given<Options extends object>(options: Options): Given<Options> {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as Given<Options>
}
