import { restoreBackup } from '../src/stores/sqlite/put-back.ts'

const [path = '', backup = ''] = process.argv.slice(2)
await restoreBackup({ path, backup })
