import { pageNumber, searchSchema, text } from '~/platform/navigation/search-schema'

export const noticesSearch = searchSchema({ page: pageNumber })

export const faqSearch = searchSchema({ q: text(100) })
