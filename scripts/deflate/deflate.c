/*
 * The one function of libdeflate that this package uses, for WebAssembly: raw deflate of a whole
 * buffer at level 6. The level is a constant, so that the compiler leaves the other levels out.
 */
#include "lib/utils.c"
#include "lib/deflate_compress.c"

#define EXPORT(name) __attribute__((export_name(name)))
#define LEVEL 6

/* Memory of the compressor at this level, with room for its alignment and its own pointer. */
static unsigned char pool[offsetof(struct libdeflate_compressor, p) +
			  sizeof(((struct libdeflate_compressor *)0)->p.g) +
			  MATCHFINDER_MEM_ALIGNMENT + 2 * sizeof(void *)];

/* Called once, by libdeflate_alloc_compressor_ex. */
static void *take_pool(size_t size)
{
	return size <= sizeof(pool) ? pool : NULL;
}

/* Never called: the compressor lives as long as the module. */
static void keep_pool(void *taken)
{
	(void)taken;
}

/* The first byte behind the module's own data. The linker sets it. */
extern unsigned char __heap_base;

static struct libdeflate_compressor *compressor;

/* Makes the compressor. Returns the address from which memory is the caller's, or 0. */
EXPORT("start") size_t start(void)
{
	const struct libdeflate_options options = { sizeof(options), take_pool, keep_pool };

	compressor = libdeflate_alloc_compressor_ex(LEVEL, &options);
	return compressor ? (size_t)&__heap_base : 0;
}

/* Length of the result, or 0 when it does not fit into `room` bytes. */
EXPORT("deflate") size_t deflate(const void *in, size_t length, void *out, size_t room)
{
	return libdeflate_deflate_compress(compressor, in, length, out, room);
}
