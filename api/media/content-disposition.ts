const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\\/:*?"<>|]/gu

/** A name may have so many UTF-16 units; its ending is kept. */
const longest = 180
const ending = /\.[A-Za-z0-9]{1,10}$/

/** A file name a person may save under: no path, no control or direction-changing characters, not too long. */
export const safeFileName = (name: string) => {
  const clean = trimmed(name.normalize('NFC').replace(unsafe, '_'))
  const [kept = ''] = ending.exec(clean) ?? []
  // A cut may fall into the middle of a character.
  const short =
    clean.length > longest ? clean.slice(0, longest - kept.length).replace(/[\ud800-\udbff]$/, '') + kept : clean
  return trimmed(short.toWellFormed()) || 'file'
}

const trimmed = (name: string) => name.replace(/^[.\s]+|[.\s]+$/g, '')

/** RFC 6266: a plain ASCII name for old readers, and the true one (한글.pdf) in UTF-8. */
export const attachmentDisposition = (name: string) => {
  const safe = safeFileName(name)
  const ascii = safe.replace(/[^\x20-\x7e]/g, '_').replaceAll('%', '_')
  const encoded = encodeURIComponent(safe).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
