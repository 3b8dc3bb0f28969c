import { implementProcedures, transact, transactAsVisitor } from '#api/platform/http/procedures.ts'
import { addToCart, changeLine, getCart, removeLine } from './cart.ts'

const os = implementProcedures()

export const cartProcedures = {
  cart: os.orders.cart.handler(({ context }) => transact(context, getCart)),
  addToCart: os.orders.addToCart.handler(({ context, input }) =>
    transactAsVisitor(context, (ctx) => addToCart(ctx, input)),
  ),
  changeCartItem: os.orders.changeCartItem.handler(({ context, input }) =>
    transactAsVisitor(context, (ctx) => changeLine(ctx, input)),
  ),
  removeCartItem: os.orders.removeCartItem.handler(({ context, input }) =>
    transactAsVisitor(context, (ctx) => removeLine(ctx, input)),
  ),
}
