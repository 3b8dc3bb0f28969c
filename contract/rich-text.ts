const blocks = 'h2 h3 h4 p br hr ul ol li blockquote pre figure figcaption dl dt dd'
const tables = 'table caption thead tbody tr th td'
const words = 'strong em b i u s code sub sup a img'

/** The tags that rich texts may contain: pages, notices, answers and descriptions. */
export const richTextTags: readonly string[] = [blocks, tables, words].flatMap((names) => names.split(' '))

/** Their attributes. */
export const richTextAttributes: Readonly<Record<string, readonly string[]>> = {
  a: ['href', 'title', 'rel'],
  img: ['src', 'alt', 'width', 'height', 'loading'],
  th: ['scope', 'colspan', 'rowspan'],
  td: ['colspan', 'rowspan'],
  ol: ['start'],
}
