import { putBack } from '../src/stores/sqlite/put-back.ts'

const [path = '', backup = ''] = process.argv.slice(2)
await putBack({ path, backup })
