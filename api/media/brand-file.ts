/** What a brand's picture is, by its content: pages show it as it is, so that a drawing stays one. Null for anything else. */
export const brandFormat = (bytes: Buffer): 'svg' | 'png' | 'jpg' | 'webp' | 'ico' | null => {
  if (bytes.subarray(0, 8).toString('latin1') === '\x89PNG\r\n\x1a\n') return 'png'
  if (bytes.subarray(0, 3).toString('hex') === 'ffd8ff') return 'jpg'
  if (bytes.subarray(0, 4).toString('latin1') === 'RIFF' && bytes.subarray(8, 12).toString('latin1') === 'WEBP')
    return 'webp'
  if (bytes.subarray(0, 4).toString('hex') === '00000100') return 'ico'
  const text = bytes
    .subarray(0, 2000)
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart()
  return /^(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*(?:<!DOCTYPE svg[^>]*>\s*)?<svg[\s>]/i.test(text) ? 'svg' : null
}
