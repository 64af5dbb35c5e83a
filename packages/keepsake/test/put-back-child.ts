import { restoreBackup } from '../src/store/sqlite/restore-backup.ts'

const [path = '', backup = ''] = process.argv.slice(2)
await restoreBackup({ path, backup })
