import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/**
 * `OS` byte of a gzip header. 255 means "unknown", so that every system produces the same file. Source: RFC 1952,
 * 2.3.1.
 */
const GZIP_OS_BYTE = 9;

/** @param {Buffer} bytes */
export const compressGzip = async (bytes) => {
  const zipped = await promisify(gzip)(bytes, { level: 9 });
  zipped[GZIP_OS_BYTE] = 255;
  return zipped;
};

/** @param {Buffer} bytes */
export const compressBrotli = (bytes) =>
  promisify(brotliCompress)(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
