import { lazyPart } from '../platform/lazy-part'

/** Loads the dialog before it is opened, for what a lost connection must not prevent. */
export const loadDialog = async () => ({ default: (await import('~/ui/dialog')).Dialog })

/** A dialog whose code is loaded when it is first opened. */
export const LazyDialog = lazyPart(loadDialog)
