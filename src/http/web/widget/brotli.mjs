// Last step of `npm run build`: compresses ../widget.js into ../widget.js.br, which the service sends to clients that accept brotli.

import { readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';

const script = readFileSync('../widget.js');
/** Compresses with these parameters for distances. Which are best for a file is only known by trying. */
const compress = (postfix, direct) => brotliCompressSync(script, {
	params: {
		[constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
		[constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
		[constants.BROTLI_PARAM_SIZE_HINT]: script.length,
		[constants.BROTLI_PARAM_NPOSTFIX]: postfix,
		[constants.BROTLI_PARAM_NDIRECT]: direct << postfix,
	},
});
const packed = [0, 1, 2, 3].flatMap((postfix) => Array.from({ length: 16 }, (_, direct) => compress(postfix, direct)));
writeFileSync('../widget.js.br', packed.sort((one, other) => one.length - other.length)[0]);
