/* nmt version: what this program was built of, and what it computes with here. */
#include "commands.h"
#include "commit.h"
#include "kernel.h"
#include "mat.h"
#include "output.h"
#include "parseopt.h"
#include "ranks.h"
#include "strbuf.h"

static void add_compiler(struct strbuf *text)
{
#ifdef __clang__
    strbuf_addf(text, "clang %d.%d.%d", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
    strbuf_addf(text, "gcc %d.%d.%d", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
}

int cmd_version(int argc, char **argv)
{
    static const struct option_spec no_options[] = {{NULL, 0, OPTION_FLAG, NULL, NULL, NULL, 0, 0}};
    const struct command_help help = {"nmt version",
                                      "Prints the version and the commit, then the compiler, the BLAS "
                                      "library and its kernels, MPI, and the instruction set in use."};
    PARSE_OR_RETURN(argc, argv, no_options, &help);
    char blas[64], mpi[64];
    mat_begin(1); /* it may choose other kernels */
    struct strbuf text;
    mat_library_name(blas, sizeof blas);
    ranks_library_name(mpi, sizeof mpi);
    strbuf_init(&text);
    strbuf_adds(&text, "nmt " NMT_VERSION " (commit " NMT_COMMIT ")\ncompiler      ");
    add_compiler(&text);
    strbuf_addf(&text,
                "\nBLAS          %s, kernels for %s\nMPI           %s\ninstructions  %s; for int8 %s; for "
                "bfloat16 %s\n",
                blas, mat_kernel_name(), mpi, instruction_set_name(), int8_instructions_name(),
                bf16_instructions_name());
    output_add(text.text, text.length);
    strbuf_release(&text);
    return EXIT_DONE;
}
