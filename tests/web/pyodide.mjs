// Runs a function of page_answers.py in the Python of the pages, with the files that the pages have.
// node pyodide.mjs WEB < question > answer
import { readdirSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

const web = process.argv[2]
const { loadPyodide } = await import(pathToFileURL(`${web}/node_modules/pyodide/pyodide.mjs`).href)
const python = await loadPyodide()
const folder = `${web}/node_modules/.python`
const extractDir = python.runPython('import site; site.getsitepackages()[0]')
for (const name of readdirSync(folder)) {
  python.unpackArchive(new Uint8Array(readFileSync(`${folder}/${name}`)).buffer, 'zip', { extractDir })
}
python.FS.writeFile('page_answers.py', readFileSync(new URL('page_answers.py', import.meta.url)))
try {
  python.runPython('from heckmeck.arrays import stand_in; stand_in()')
  const { answers } = python.pyimport('page_answers')
  process.stdout.write(answers(readFileSync(0, 'utf8')))
} catch (error) {
  console.error(error.message) // otherwise Node shows the line of the loader, which is all of it
  process.exitCode = 1
}
