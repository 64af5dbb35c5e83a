/** A file that was chosen or dropped, and the folder it came out of; an empty one for a file by itself. */
export interface GivenFile {
  readonly file: File
  readonly folder: string
}

/** Files as a picker gives them. */
export function chosenFiles(files: Iterable<File>): readonly GivenFile[] {
  return [...files].map((file) => ({ file, folder: folderOf(file.webkitRelativePath) })).filter(isOfRun)
}

/** Files out of what was dropped, and out of folders among it. To be called while the drop is told: it is gone afterwards. */
export async function droppedFiles(dropped: DataTransfer): Promise<readonly GivenFile[]> {
  const entries = [...dropped.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  if (entries.length === 0) return chosenFiles(dropped.files)
  const found = await Promise.all(entries.map(filesIn))
  return found.flat().filter(isOfRun)
}

async function filesIn(entry: FileSystemEntry): Promise<readonly GivenFile[]> {
  if (entry instanceof FileSystemFileEntry) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject))
    return [{ file, folder: folderOf(entry.fullPath) }]
  }
  if (!(entry instanceof FileSystemDirectoryEntry)) return []
  const found = await Promise.all((await entriesOf(entry)).map(filesIn))
  return found.flat()
}

/** A reader gives a hundred at a time, and none at the end. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (some.length === 0) return all
    all.push(...some)
  }
}

const folderOf = (path: string): string =>
  path.slice(0, Math.max(0, path.lastIndexOf('/'))).replace(/^\/+/, '')

/** Of a folder only what may be a run's; of files that were chosen one by one, all: each is told of. */
const isOfRun = ({ file, folder }: GivenFile): boolean => folder === '' || /\.jsonl?$/.test(file.name)
