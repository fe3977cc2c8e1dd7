// Writes the wire's types from the server's JSON Schema (see ../README.md for where that is from).
import { compile } from 'json-schema-to-typescript'
import { readFile, writeFile } from 'node:fs/promises'

const SCHEMA = new URL('../schema.json', import.meta.url)
const TYPES = new URL('../src/net/wire.d.ts', import.meta.url)

const { $defs } = JSON.parse(await readFile(SCHEMA, 'utf8'))
const names = Object.keys($defs)
const root = {
  title: 'Wire',
  type: 'object',
  additionalProperties: false,
  required: names,
  properties: Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }])),
  $defs,
}
const types = await compile(root, 'Wire', {
  additionalProperties: false,
  bannerComment: '// Generated from the schema of heckmeck.wire by scripts/types.mjs.',
  ignoreMinAndMaxItems: true,
  style: { semi: false, singleQuote: true },
})
await writeFile(TYPES, types)
