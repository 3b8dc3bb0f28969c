const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const inline = (text: string) =>
  escaped(text)
    .replace(/\*\*(.+?)\*\*/g, '<strong>$1</strong>')
    .replace(/\*(.+?)\*/g, '<em>$1</em>')
    .replace(/\[(.+?)\]\((.+?)\)/g, '<a href="$2">$1</a>')

const items = (lines: readonly string[], marker: RegExp) =>
  lines.map((line) => `<li>${inline(line.replace(marker, ''))}</li>`).join('')

function block(text: string): string {
  const lines = text.split('\n').map((line) => line.trim())
  const first = lines[0] ?? ''
  if (first.startsWith('## '))
    return `<h2>${inline(first.slice(3))}</h2>${lines.length > 1 ? block(lines.slice(1).join('\n')) : ''}`
  if (first.startsWith('### '))
    return `<h3>${inline(first.slice(4))}</h3>${lines.length > 1 ? block(lines.slice(1).join('\n')) : ''}`
  if (lines.every((line) => line.startsWith('- '))) return `<ul>${items(lines, /^- /)}</ul>`
  if (lines.every((line) => /^\d+\. /.test(line))) return `<ol>${items(lines, /^\d+\. /)}</ol>`
  if (lines.every((line) => line.startsWith('> ')))
    return `<blockquote><p>${inline(lines.map((line) => line.slice(2)).join(' '))}</p></blockquote>`
  return `<p>${inline(lines.join(' '))}</p>`
}

/**
 * Rich text from plain writing: blocks stand between empty lines; `## ` and `### ` begin headings,
 * `- ` and `1. ` lists, `> ` a quotation; `**strong**`, `*emphasis*` and `[link](/address)` work
 * inside.
 */
export const html = (prose: string): string =>
  prose
    .trim()
    .split(/\n\s*\n/)
    .map(block)
    .join('\n')
