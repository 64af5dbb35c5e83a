import { chromium } from 'playwright-core'
import { scrollThrough } from '../test/scroll-through.ts'
const u = new URL(process.argv[2])
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox','--disable-gpu'] })
const p = await (await browser.newContext({ viewport: { width: 1280, height: 860 } })).newPage()
await p.goto(u.origin + '/people/many/memories' + u.hash)
await p.getByRole('article').first().waitFor()
const c = await p.context().newCDPSession(p)
if (process.argv[3]) { await c.send('Profiler.enable'); await c.send('Profiler.start') }
const { rows, tasks, frames, mostInPage } = await scrollThrough(browser, p)
if (process.argv[3]) { const { profile } = await c.send('Profiler.stop'); const self = new Map(); const dt = profile.timeDeltas; const byId = new Map(profile.nodes.map(n=>[n.id,n])); profile.samples.forEach((s,i)=>{const n=byId.get(s); const k=n.callFrame.functionName+' '+n.callFrame.url.split('/').pop()+':'+n.callFrame.lineNumber+':'+n.callFrame.columnNumber; self.set(k,(self.get(k)??0)+dt[i])}); console.log([...self].sort((a,b)=>b[1]-a[1]).slice(0,14).map(([k,v])=>(v/1000|0)+' ms '+k).join('\n')) }
frames.sort((a,b)=>a-b)
console.log({ rows, mostInPage, frames: frames.length, p50: frames[frames.length>>1], p99: frames[frames.length*0.99|0], max: frames.at(-1), over50: frames.filter(f=>f>50).length, tasks: tasks.slice(-12), n: tasks.length })
await browser.close()
