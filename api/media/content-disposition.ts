const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\\/:*?"<>|]/gu

/** A file name a person may save under: no path, no control or direction-changing characters, at most 180 characters. */
export const safeFileName = (name: string) => {
  const clean = name
    .normalize('NFC')
    .replace(unsafe, '_')
    .replace(/^[.\s]+|[.\s]+$/g, '')
    .slice(0, 180)
  return clean === '' ? 'file' : clean
}

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
