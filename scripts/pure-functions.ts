/**
 * Functions without effects that make the contract's schemas. Unused schemas stay out of a bundle
 * whose bundler knows them. It knows them by name alone: it drops each call of another function, or
 * of a method of another value, with such a name whose result is unused.
 */
const schemaFunctions = ['z', 'uuid', 'textUpTo', 'requiredText', 'pageOf', 'listOf', 'inOrder']

export const storefrontPureFunctions = [...schemaFunctions, 'inquiryTypeCode', 'TextEncoder']
export const consolePureFunctions = [...schemaFunctions, 'keysetPage', 'procedure']
