/** Whether metadata of a turn or memory excludes it from training: `{"training": false}`. */
export function withholds({ metadata }: { readonly metadata: unknown }): boolean {
  return typeof metadata === 'object' && metadata !== null && Reflect.get(metadata, 'training') === false
}
