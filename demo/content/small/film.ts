import type { DemoProduct } from '../model/types.ts'

/** A film with a poster; without another word it is watched by stream. */
export const film = (
  product: Omit<DemoProduct, 'kind' | 'shape'> & Partial<Pick<DemoProduct, 'kind'>>,
): DemoProduct => ({
  kind: 'VOD',
  shape: 'FILM',
  ...product,
})
