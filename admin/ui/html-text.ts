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

/**
 * Prepares HTML to be parsed in the console. The title of a page is its only first-level heading.
 * Styles and event handlers are without effect, and the console's pages refuse them even in a
 * document that is only parsed.
 */
export const plainHtml = (html: string): string =>
  html
    .replaceAll(/<style\b[^>]*>[\s\S]*?<\/style>/gi, '')
    .replaceAll(/<(\/?)h1\b/gi, '<$1h2')
    .replaceAll(/<[a-z][^>]*>/gi, (tag) =>
      tag.replaceAll(/[\s/](?:style|on[a-z]+)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)/gi, ''),
    )
