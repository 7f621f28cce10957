// Runs a program of the target wasm32-wasip1 in Node:
//
//     node .ci/wasi.mjs PROGRAM.wasm

import { readFileSync } from 'node:fs';
import { WASI } from 'node:wasi';

const wasi = new WASI({ version: 'preview1', args: process.argv.slice(2) });
const program = await WebAssembly.instantiate(readFileSync(process.argv[2]), wasi.getImportObject());
process.exitCode = wasi.start(program.instance);
