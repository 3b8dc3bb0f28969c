import sanitize from 'sanitize-html'

const blocks = 'h2 h3 h4 p br hr ul ol li blockquote pre figure figcaption dl dt dd'
const tables = 'table caption thead tbody tr th td'
const words = 'strong em b i u s code sub sup a img'

const options: sanitize.IOptions = {
  allowedTags: [blocks, tables, words].flatMap((names) => names.split(' ')),
  allowedAttributes: {
    a: ['href', 'title', 'rel'],
    img: ['src', 'alt', 'width', 'height', 'loading'],
    th: ['scope', 'colspan', 'rowspan'],
    td: ['colspan', 'rowspan'],
    ol: ['start'],
  },
  allowedSchemes: ['https', 'http', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['https'] },
  allowProtocolRelative: false,
  transformTags: {
    // The page's own title is the only first-level heading.
    h1: 'h2',
    a: (tagName, attributes) => ({
      tagName,
      attribs: /^https?:/i.test(attributes.href ?? '') ? { ...attributes, rel: 'noopener noreferrer' } : attributes,
    }),
    img: (tagName, attributes) => ({ tagName, attribs: { ...attributes, loading: 'lazy' } }),
  },
}

/** Rich text as it may be shown: an allow-list of tags and attributes, no scripts, styles or foreign schemes. */
export const sanitizeHtml = (html: string) => sanitize(html, options)
