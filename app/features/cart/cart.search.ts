import { code, searchSchema } from '~/platform/navigation/search-schema'

/** `problem`: why a form post without script was refused, by its code. */
export const cartSearch = searchSchema({ problem: code })
