const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Whether a text has a tag, so that its author writes HTML. */
const hasTags = (text: string) => /<\/?[a-z][^>]*>/i.test(text)

/** The HTML of a text: what was typed without tags becomes paragraphs. */
export const htmlOf = (typed: string): string => {
  const text = typed.trim()
  if (text === '' || hasTags(text)) return text
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => `<p>${escaped(paragraph.trim()).replaceAll('\n', '<br />')}</p>`)
    .join('\n')
}
