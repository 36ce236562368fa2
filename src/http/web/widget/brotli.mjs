// Last step of `npm run build`: compresses ../widget.js into ../widget.js.br, which the service sends to clients that accept brotli.

import { readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';

const script = readFileSync('../widget.js');
const params = {
	[constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
	[constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
	[constants.BROTLI_PARAM_SIZE_HINT]: script.length,
};
writeFileSync('../widget.js.br', brotliCompressSync(script, { params }));
