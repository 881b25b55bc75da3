// Counts tokens: a JSON string a line in, a number a line out.
const path = require("node:path");
const { encode } = require(path.join(process.argv[2], "gpt-tokenizer", "cjs", "encoding", "o200k_base.js"));
const lines = require("node:readline").createInterface({ input: process.stdin });
lines.on("line", (line) => console.log(encode(JSON.parse(line), { disallowedSpecial: new Set() }).length));
