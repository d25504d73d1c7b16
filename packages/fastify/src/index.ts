import type { Carnet } from '@carnet/provider';
import type { FastifyPluginCallback } from 'fastify';
import fastifyPlugin from 'fastify-plugin';

export interface CarnetFastifyOptions {
  /** The provider, from `createProvider`. The plugin does not close it. */
  readonly carnet: Pick<Carnet, 'callback'>;
}

const plugin: FastifyPluginCallback<CarnetFastifyOptions> = (app, { carnet }, done) => {
  const callback = carnet.callback();
  // Before Fastify reads the body: Carnet reads it, and decides by the bytes.
  app.addHook('onRequest', (request, reply, next) => {
    let isForwarded = false;
    callback(request.raw, reply.raw, () => {
      isForwarded = true;
      next();
    });
    if (!isForwarded) reply.hijack();
  });
  done();
};

/** Serves the endpoints of a provider in a Fastify application, at the path of its issuer. Other requests continue. */
export const carnetFastify: FastifyPluginCallback<CarnetFastifyOptions> = fastifyPlugin(plugin, {
  fastify: '5.x',
  name: '@carnet/fastify',
});
